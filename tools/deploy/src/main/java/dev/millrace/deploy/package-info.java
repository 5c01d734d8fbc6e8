/** Commands that set Millrace up, check it and say what it costs. */
@NullMarked
package dev.millrace.deploy;

import org.jspecify.annotations.NullMarked;
