/** Hostile requests, from a seed, against a real server. */
@NullMarked
package dev.millrace.proving.fuzz;

import org.jspecify.annotations.NullMarked;
