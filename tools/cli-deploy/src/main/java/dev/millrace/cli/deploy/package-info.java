/** Commands that set Millrace up in AWS, check a table and compute costs. */
@NullMarked
package dev.millrace.cli.deploy;

import org.jspecify.annotations.NullMarked;
