/** The auto-configuration and its parts: limited methods, limited requests, meters and health. */
@NullMarked
package dev.millrace.spring.internal;

import org.jspecify.annotations.NullMarked;
