package dev.millrace.dynamodb.client;

import dev.millrace.core.store.StoreReply.Receipt;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The {@code Date} header of a response, in the one form that HTTP servers send: {@code Sun, 06 Nov
 * 1994 08:49:37 GMT}. Read by position, because every answer has one and a general parser costs
 * more than the rest of reading the answer.
 */
final class HttpDate {
  private static final String HEADER = "Date";
  private static final int LENGTH = 29;
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int MONTH_LETTERS = 3;

  private HttpDate() {}

  /** Epoch milliseconds, or {@link Receipt#NO_TIME} when the response does not say. */
  static long of(SdkHttpResponse response) {
    Optional<String> date = response.firstMatchingHeader(HEADER);
    return date.isPresent() ? parse(date.get()) : Receipt.NO_TIME;
  }

  static long parse(String date) {
    if (date.length() != LENGTH || !date.endsWith(" GMT")) {
      return Receipt.NO_TIME;
    }
    int day = number(date, 5, 7);
    int month = MONTHS.indexOf(date.substring(8, 8 + MONTH_LETTERS));
    int year = number(date, 12, 16);
    int hour = number(date, 17, 19);
    int minute = number(date, 20, 22);
    int second = number(date, 23, 25);
    boolean readable =
        day > 0 && month >= 0 && month % MONTH_LETTERS == 0 && year > 0 && hour >= 0 && minute >= 0;
    if (!readable || second < 0) {
      return Receipt.NO_TIME;
    }
    long days = epochDays(year, month / MONTH_LETTERS + 1, day);
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000;
  }

  /** Days since 1970 in the Gregorian calendar, counted in years that begin in March. */
  private static long epochDays(int year, int month, int day) {
    long y = month > 2 ? year : year - 1;
    long marchMonth = month > 2 ? month - 3 : month + 9;
    long leapDays = y / 4 - y / 100 + y / 400;
    return y * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 1 - 719_468;
  }

  private static int number(String text, int start, int end) {
    int number = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }
}
