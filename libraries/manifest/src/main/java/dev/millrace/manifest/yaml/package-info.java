/** Manifests as YAML: read part by part, refused with line and column, written. */
@NullMarked
package dev.millrace.manifest.yaml;

import org.jspecify.annotations.NullMarked;
