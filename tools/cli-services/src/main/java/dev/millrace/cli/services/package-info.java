/** The commands that run servers and workers. */
@NullMarked
package dev.millrace.cli.services;

import org.jspecify.annotations.NullMarked;
