// The shared sources this test needs.
#include "../support/random_position.cpp"
