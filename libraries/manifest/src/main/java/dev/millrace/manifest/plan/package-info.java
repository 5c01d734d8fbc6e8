/**
 * What is wanted against what is there: the difference, its blast radius, and how it is made.
 * {@code Differ} is pure.
 */
@NullMarked
package dev.millrace.manifest.plan;

import org.jspecify.annotations.NullMarked;
