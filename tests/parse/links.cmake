# Our lexer is compared with the one that ANTLR makes.
target_link_libraries(test_parse PRIVATE arbiter_grammar_lexer)
