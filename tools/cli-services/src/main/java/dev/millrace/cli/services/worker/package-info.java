/** The commands that run a worker and replay its dead letters. */
@NullMarked
package dev.millrace.cli.services.worker;

import org.jspecify.annotations.NullMarked;
