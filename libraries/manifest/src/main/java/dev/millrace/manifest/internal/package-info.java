/**
 * The implementation of manifests and backups: the desired state in memory, its forms in files, its
 * difference from the current state, and its application.
 */
@NullMarked
package dev.millrace.manifest.internal;

import org.jspecify.annotations.NullMarked;
