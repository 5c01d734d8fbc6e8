/** What is measured: one class for each scenario. */
@NullMarked
package dev.millrace.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
