/** The auto-configuration of the starter. */
@NullMarked
package dev.millrace.spring.boot;

import org.jspecify.annotations.NullMarked;
