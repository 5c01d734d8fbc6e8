/**
 * What tests of a limiter or of a store need: a clock that tests move, a store in memory, stores
 * that fail on purpose, seeded generators, and the contract that every store keeps.
 */
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;
