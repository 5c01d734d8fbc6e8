/**
 * The difference between the desired and the current state, its blast radius, and its application.
 * {@code ManifestDiff} is pure.
 */
@NullMarked
package dev.millrace.manifest.plan;

import org.jspecify.annotations.NullMarked;
