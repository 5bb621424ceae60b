extension Schema {
    /// Orders that customers collect (rules: orders): what a shop decides about them; the orders, with their parcels as
    /// `Parcel.text` writes them and blanks between these; what happened to each, and who did it, as far as that is known; and
    /// the last number of each day.
    static func orders(_ dialect: Dialect) -> String {
        """
        ALTER TABLE shop ADD COLUMN desks BIGINT NOT NULL DEFAULT 0
            CHECK (desks BETWEEN 0 AND 20);
        ALTER TABLE shop ADD COLUMN fetch_minutes BIGINT NOT NULL DEFAULT 5
            CHECK (fetch_minutes BETWEEN 1 AND 120);
        ALTER TABLE shop ADD COLUMN order_days BIGINT NOT NULL DEFAULT 7
            CHECK (order_days BETWEEN 1 AND 60);
        ALTER TABLE shop ADD COLUMN order_memory_days BIGINT NOT NULL DEFAULT 30
            CHECK (order_memory_days BETWEEN 1 AND 400);
        CREATE TABLE pickup_order (
            shop_id TEXT NOT NULL, id TEXT NOT NULL, reference TEXT NOT NULL,
            code TEXT NOT NULL, typed_code TEXT NOT NULL, announced_ms BIGINT NOT NULL,
            promised_ms BIGINT NOT NULL, parcels TEXT NOT NULL,
            state TEXT NOT NULL CHECK (
                state IN ('promised', 'on-shelf', 'arrived', 'fetching', 'called', 'handed-over',
                    'not-found', 'cancelled', 'expired')),
            state_ms BIGINT NOT NULL,
            day TEXT, number BIGINT, arrived_ms BIGINT, desk BIGINT,
            CHECK ((number IS NULL) = (day IS NULL) AND (number IS NULL) = (arrived_ms IS NULL)
                AND (number IS NOT NULL)
                    = (state IN ('arrived', 'fetching', 'called', 'handed-over', 'not-found'))
                AND (desk IS NOT NULL) = (
                        state IN ('fetching', 'called', 'handed-over', 'not-found'))),
            PRIMARY KEY (shop_id, id))\(dialect.clustered);
        CREATE UNIQUE INDEX pickup_order_reference ON pickup_order (shop_id, reference);
        CREATE UNIQUE INDEX pickup_order_code ON pickup_order (shop_id, code);
        CREATE UNIQUE INDEX pickup_order_typed_code ON pickup_order (shop_id, typed_code);
        CREATE UNIQUE INDEX pickup_order_number ON pickup_order (shop_id, day, number)
            WHERE number IS NOT NULL;
        CREATE INDEX pickup_order_here ON pickup_order (shop_id, arrived_ms)
            WHERE state IN ('arrived', 'fetching', 'called', 'not-found');
        CREATE INDEX pickup_order_waiting ON pickup_order (shop_id, promised_ms)
            WHERE state IN ('promised', 'on-shelf');
        CREATE INDEX pickup_order_ended ON pickup_order (shop_id, state_ms)
            WHERE state IN ('handed-over', 'cancelled', 'expired');
        CREATE TABLE pickup_event (
            shop_id TEXT NOT NULL, order_id TEXT NOT NULL, position BIGINT NOT NULL,
            at_ms BIGINT NOT NULL, state TEXT NOT NULL, actor TEXT NOT NULL,
            PRIMARY KEY (shop_id, order_id, position))\(dialect.clustered);
        ALTER TABLE change_sequence ADD COLUMN orders BIGINT NOT NULL DEFAULT 0;
        CREATE TABLE pickup_day (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, last_number BIGINT NOT NULL,
            PRIMARY KEY (shop_id, day));
        """
    }

    /// Whether the last step of a desk was taken back; how long assistants take to fetch orders, by the number of parcels; when
    /// the last step was taken at each desk; the end of the range that was quoted to a customer at the arrival; desks inside
    /// the shop, to which an order is called once there is a place; and browsers that get notices of orders
    /// (rules: order-desks, order-forecasts, desks-inside, order-pages).
    static func desksAtWork(_ dialect: Dialect) -> String {
        """
        CREATE TABLE pickup_fetch (
            shop_id TEXT NOT NULL, parcels BIGINT NOT NULL, observations BIGINT NOT NULL,
            logs BIGINT NOT NULL, squares BIGINT NOT NULL,
            PRIMARY KEY (shop_id, parcels))\(dialect.clustered);
        CREATE TABLE pickup_step (
            shop_id TEXT NOT NULL, desk BIGINT NOT NULL, at_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, desk))\(dialect.clustered);
        ALTER TABLE pickup_order ADD COLUMN step_undone BIGINT NOT NULL DEFAULT 0
            CHECK (step_undone IN (0, 1));
        ALTER TABLE pickup_order ADD COLUMN fetching_ms BIGINT;
        ALTER TABLE pickup_event ADD COLUMN latest_ms BIGINT;
        ALTER TABLE shop ADD COLUMN desk_inside BIGINT NOT NULL DEFAULT 0
            CHECK (desk_inside IN (0, 1));
        ALTER TABLE pickup_order ADD COLUMN called_ms BIGINT;
        ALTER TABLE pickup_order ADD COLUMN entered BIGINT NOT NULL DEFAULT 0
            CHECK (entered IN (0, 1));
        UPDATE pickup_order SET called_ms = state_ms WHERE state IN ('called', 'handed-over');
        ALTER TABLE subscription ADD COLUMN is_order BIGINT NOT NULL DEFAULT 0
            CHECK (is_order IN (0, 1));
        CREATE INDEX subscription_of_place ON subscription (shop_id, reservation_id, id)
            WHERE is_order = 0;
        """
    }
}
