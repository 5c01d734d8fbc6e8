/** Configuration and entities in a file, and back. */
@NullMarked
package dev.millrace.manifest.backup;

import org.jspecify.annotations.NullMarked;
