/** JMH benchmarks of what an acquire does on the processor, without its round trip. */
@NullMarked
package dev.millrace.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
