/** Identifiers, validated once, here. */
@NullMarked
package dev.millrace.core.entity;

import org.jspecify.annotations.NullMarked;
