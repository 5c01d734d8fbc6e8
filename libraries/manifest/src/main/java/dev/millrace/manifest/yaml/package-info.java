/** Manifests as YAML: read piece by piece, refused with line and column, written. */
@NullMarked
package dev.millrace.manifest.yaml;

import org.jspecify.annotations.NullMarked;
