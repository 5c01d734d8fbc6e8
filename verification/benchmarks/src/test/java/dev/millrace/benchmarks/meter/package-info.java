@NullMarked
package dev.millrace.benchmarks.meter;

import org.jspecify.annotations.NullMarked;
