/** Results for people, for programs and for the browser. */
@NullMarked
package dev.millrace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
