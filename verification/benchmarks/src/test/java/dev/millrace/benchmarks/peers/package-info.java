@NullMarked
package dev.millrace.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
