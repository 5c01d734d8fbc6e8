/** The exchange between regions as commands: what operators say, and the loop that keeps it up. */
@NullMarked
package dev.millrace.worker.regions;

import org.jspecify.annotations.NullMarked;
