/* There only because configure looks for its source. */
int main(void) { return 0; }
