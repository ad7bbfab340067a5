# The tests run the program itself.
if(TARGET arbiter)
  add_dependencies(test_cli arbiter)
endif()
