/** Tests across the packages of this module. */
@NullMarked
package dev.millrace.core;

import org.jspecify.annotations.NullMarked;
