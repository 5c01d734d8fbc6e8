package dev.millrace.deploy.check;

/**
 * Something that is wrong.
 *
 * @param id the same for every fault of its kind
 * @param severity how bad it is
 * @param what is wrong
 * @param why it matters
 * @param todo what to do about it
 */
public record Finding(String id, Severity severity, String what, String why, String todo) {
  /** How bad it is. */
  public enum Severity {
    /** Something does not work, or works wrongly. */
    ERROR,
    /** It works, and costs more than it should or soon will not. */
    WARNING
  }

  static Finding error(String id, String what, String why, String todo) {
    return new Finding(id, Severity.ERROR, what, why, todo);
  }

  static Finding warning(String id, String what, String why, String todo) {
    return new Finding(id, Severity.WARNING, what, why, todo);
  }
}
