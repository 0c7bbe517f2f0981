package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXValue;
import com.paritytrading.philadelphia.fix44.FIX44Tags;

/** Compares UTCTimestamps: YYYYMMDD-HH:MM:SS, and perhaps decimals of the second. Allocates nothing. */
final class FixTimes
{
    private static final String SECONDS = "00000000-00:00:00";

    private FixTimes()
    {
    }

    /** Whether the field is there, with digits and separators in their places. */
    static boolean isTime(final FIXValue value)
    {
        if (value == null || value.length() < SECONDS.length() || value.length() == SECONDS.length() + 1)
        {
            return false;
        }
        for (int i = 0; i < value.length(); i++)
        {
            final byte actual = value.byteAt(i);
            final byte form = zeroAt(i);
            if (form == '0' ? actual < '0' || actual > '9' : actual != form)
            {
                return false;
            }
        }
        return true;
    }

    private static byte zeroAt(final int i)
    {
        return (byte)(i < SECONDS.length() ? SECONDS.charAt(i) : i == SECONDS.length() ? '.' : '0');
    }

    /** First wrong tag of the times of a message that may have been sent before; 0 for none. */
    static int wrongTag(final FIXMessage message)
    {
        final FIXValue original = message.valueOf(FIX44Tags.OrigSendingTime);
        final FIXValue sent = message.valueOf(FIX44Tags.SendingTime);
        return !isTime(original) ? FIX44Tags.OrigSendingTime : !isTime(sent) ? FIX44Tags.SendingTime :
            isLater(original, sent) ? FIX44Tags.OrigSendingTime : 0;
    }

    /** Whether one time is later than another. Missing decimals are zeros. */
    private static boolean isLater(final FIXValue time, final FIXValue than)
    {
        final int length = Math.max(time.length(), than.length());
        int i = 0;
        while (i < length && byteAt(time, i) == byteAt(than, i))
        {
            i++;
        }
        return i < length && byteAt(time, i) > byteAt(than, i);
    }

    private static byte byteAt(final FIXValue time, final int i)
    {
        return i < time.length() ? time.byteAt(i) : zeroAt(i);
    }
}
