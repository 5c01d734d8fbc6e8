/** What a region knows of the others, from the snapshots that it has believed. */
@NullMarked
package dev.millrace.regions.peers;

import org.jspecify.annotations.NullMarked;
