/**
 * Limits that several regions share: the commands of operators, and the exchange by which the share
 * of each region follows its demand.
 */
@NullMarked
package dev.millrace.regions;

import org.jspecify.annotations.NullMarked;
