package dev.millrace.deploy.check;

/**
 * A fault of a table.
 *
 * @param id the same for every fault of its kind
 * @param severity how bad it is
 * @param what is wrong
 * @param why it matters
 * @param todo what to do about it
 */
public record TableFault(String id, Severity severity, String what, String why, String todo) {
  /** The severities. */
  public enum Severity {
    /** Something does not work, or works wrongly. */
    ERROR,
    /** It works, and costs more than it should or soon will not. */
    WARNING
  }
}
