// For which processors a file of the engine is compiled. Private to engine/.
//
// The linker takes functions of the same name for one, whichever file they come from. What is compiled for
// processors with more instructions therefore lies in a namespace of its own: machine_*_bmi.cpp define the name
// before they include anything of the machine.
#pragma once

#ifndef ARBITER_ENGINE_PROCESSOR
#define ARBITER_ENGINE_PROCESSOR any_processor
#endif
