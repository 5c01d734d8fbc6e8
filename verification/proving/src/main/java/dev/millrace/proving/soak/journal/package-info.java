/** What a process is about to do and what it was told, on disk before and after. */
@NullMarked
package dev.millrace.proving.soak.journal;

import org.jspecify.annotations.NullMarked;
