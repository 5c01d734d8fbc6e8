@NullMarked
package dev.millrace.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
