@NullMarked
package dev.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
