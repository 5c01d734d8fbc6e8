/**
 * What operators do: entities and their tree, stored limits, switches, buckets, namespaces, and who
 * did what. Works on any store; every change is one transaction with its audit event.
 */
@NullMarked
package dev.millrace.admin;

import org.jspecify.annotations.NullMarked;
