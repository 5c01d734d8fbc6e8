/** The same work for others' rate limiters and ours. */
@NullMarked
package dev.millrace.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
