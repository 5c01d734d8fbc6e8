/**
 * Limiters, their callers, their operators and their network on one virtual clock, in an order that
 * one seed decides. What runs is production code; what it runs on is not.
 */
@NullMarked
package dev.millrace.simulator;

import org.jspecify.annotations.NullMarked;
