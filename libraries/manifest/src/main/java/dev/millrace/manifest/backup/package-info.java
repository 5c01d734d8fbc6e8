/** Backups of configuration and entities in a file, and their restoration. */
@NullMarked
package dev.millrace.manifest.backup;

import org.jspecify.annotations.NullMarked;
