/** Auto-configuration: what there is when nobody says otherwise. */
@NullMarked
package dev.millrace.spring.boot;

import org.jspecify.annotations.NullMarked;
