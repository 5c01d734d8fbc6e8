@NullMarked
package dev.millrace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
