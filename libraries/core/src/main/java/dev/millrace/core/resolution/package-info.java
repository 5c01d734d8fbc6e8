/** From what is stored to what holds: which level wins, and which ancestors are drawn on. */
@NullMarked
package dev.millrace.core.resolution;

import org.jspecify.annotations.NullMarked;
