@NullMarked
package dev.millrace.proving.soak;

import org.jspecify.annotations.NullMarked;
