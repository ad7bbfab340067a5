# The generated parser builds its automaton when the program starts. The quick stage of parsing needs none
# (parse/predictor.h), so here that is put off until somebody asks for it: getATN() builds it.
#
#   cmake -DPARSER=.../ArbiterParser -P lazy.cmake
function(change file old new)
  file(READ ${file} text)
  string(FIND "${text}" "${old}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file} is not what was expected: `${old}` is missing")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  file(WRITE ${file} "${text}")
endfunction()

change(${PARSER}.cpp "ArbiterParser::Initializer ArbiterParser::_init;" "")
change(${PARSER}.h "getATN() const override { return _atn; }"
  "getATN() const override { static const Initializer built; return _atn; }")
