/**
 * The administration of a table for operators: entities and their tree, stored limits, switches,
 * buckets, namespaces and audit events. Works on any store; every change is one transaction with
 * its audit event.
 */
@NullMarked
package dev.millrace.admin;

import org.jspecify.annotations.NullMarked;
