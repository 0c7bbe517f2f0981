package io.millrace.exchange.fix;

/** Tags of the session's messages, and values of them. */
final class FixTags
{
    /** Field of a logon, ours: first wanted ExecID. */
    static final int FIRST_EXEC_ID = 20_001;

    static final int USERNAME = 553;
    static final int PASSWORD = 554;
    static final int RESET_SEQ_NUM = 141;
    static final int HEART_BT_INT = 108;
    static final int ENCRYPT_METHOD = 98;
    static final int TEST_REQ_ID = 112;
    static final int END_SEQ_NO = 16;
    static final int NEW_SEQ_NO = 36;
    static final int GAP_FILL = 123;
    static final int REF_SEQ_NUM = 45;
    static final int REF_TAG = 371;
    static final int REF_TYPE = 372;
    static final int REJECT_REASON = 373;
    static final int BUSINESS_REASON = 380;
    static final int UNSUPPORTED = 3;
    static final int NOT_AVAILABLE = 4;
    static final int MISSING = 1;
    static final int WRONG = 5;
    static final int WRONG_FORMAT = 6;
    static final int SENDING_TIME = 10;
    static final int REPEATED = 13;

    private FixTags()
    {
    }
}
