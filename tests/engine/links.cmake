target_link_libraries(test_engine PRIVATE arbiter_compile arbiter_oracle arbiter_check arbiter_diagnostics)
# It makes flat machines of its own, which are what takes its time.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/engine/flat_test.cpp PROPERTIES COMPILE_OPTIONS -O1)
