package dev.millrace.proving.soak.journal;

/** An amount for one account: charged when positive, given back when negative. */
public record AccountAmount(Account account, long milli) {
  /** Reads what {@link #toString} writes. */
  static AccountAmount parse(String text) {
    int equals = text.lastIndexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("'" + text + "' is not of the form account=milli");
    }
    return new AccountAmount(
        Account.parse(text.substring(0, equals)), Long.parseLong(text.substring(equals + 1)));
  }

  @Override
  public String toString() {
    return account + "=" + milli;
  }
}
