/**
 * What the promises say, checked on the whole history of a simulation with arithmetic of its own:
 * nothing here calls the code that computes credit, balances or waiting times in production.
 */
@NullMarked
package dev.millrace.simulator.oracle;

import org.jspecify.annotations.NullMarked;
