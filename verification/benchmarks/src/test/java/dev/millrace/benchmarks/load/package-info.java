@NullMarked
package dev.millrace.benchmarks.load;

import org.jspecify.annotations.NullMarked;
