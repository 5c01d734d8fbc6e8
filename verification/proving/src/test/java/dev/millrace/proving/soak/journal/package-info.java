@NullMarked
package dev.millrace.proving.soak.journal;

import org.jspecify.annotations.NullMarked;
