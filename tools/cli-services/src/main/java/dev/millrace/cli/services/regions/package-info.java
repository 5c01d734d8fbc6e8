/** The commands that operators give to regions that share limits. */
@NullMarked
package dev.millrace.cli.services.regions;

import org.jspecify.annotations.NullMarked;
