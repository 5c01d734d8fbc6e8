/** Commands that set Millrace up, check it and tell what it costs. */
@NullMarked
package dev.millrace.cli.deploy;

import org.jspecify.annotations.NullMarked;
