typedef __typeof__(sizeof 0) nub_size;
