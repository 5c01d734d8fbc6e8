/** From what is stored to what holds: which level wins, and which ancestors are drawn on. */
@NullMarked
package dev.millrace.core.internal.resolution;

import org.jspecify.annotations.NullMarked;
