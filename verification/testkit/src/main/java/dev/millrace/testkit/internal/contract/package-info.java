/** The parts of the contract of stores, one for each kind of call. */
@NullMarked
package dev.millrace.testkit.internal.contract;

import org.jspecify.annotations.NullMarked;
