"""Words of a developer's work and day that multilingual-e5-small cuts into pieces: `multilingual.py` gives each a row of
its own, run through the network as a whole. Written by hand before measuring; their subjects are those of `pairs.json`, though they were not read off it."""

# German words that are no nouns.
LOWER = """
bevorzugt verwendet zuständig verantwortlich genehmigt abgelaufen gelöscht gespeichert geändert ersetzt umgezogen langsam
schnell reisen schwimmen wandern laufen kochen vegetarisch scharf essen abnehmen lernen fahren morgens abends täglich
wöchentlich monatlich gestern heute morgen nächste letzte blau rot schwarz dunkel hell teuer billig wichtig dringend zuerst
später häufig immer niemals benutzen verwenden nutzen speichern löschen ändern ersetzen prüfen testen starten stoppen
beheben reparieren schreiben lesen hören trinken wohnen leben arbeiten bevorzugen mögen hassen lieben schicken senden
empfangen melden anmelden abmelden veröffentlichen ausliefern entwickeln programmieren übersetzen zustimmen genehmigen
höchstens mindestens
""".split()

WORDS = {
    "ko": """서버 클라이언트 데이터베이스 인프라 프로덕션 스테이징 배포 릴리스 브랜치 커밋 머지 리베이스 푸시 풀리퀘스트 리뷰 리팩터링 리팩토링 디버깅 디버그 버그 이슈 티켓 로그 로깅
    모니터링 알림 캐시 캐싱 큐 메시지 이벤트 토큰 세션 쿠키 인증 인가 권한 로그인 로그아웃 계정 비밀번호 암호화 보안 방화벽 도메인 인증서 네트워크 프록시 엔드포인트 요청 응답 타임아웃
    재시도 동기 비동기 스레드 프로세스 메모리 누수 성능 최적화 병목 쿼리 인덱스 스키마 마이그레이션 백업 복구 롤백 트랜잭션 테이블 컬럼 커넥션 컨테이너 도커 쿠버네티스 클러스터 노드 파드
    클라우드 스토리지 버킷 파이프라인 빌드 컴파일 컴파일러 패키지 의존성 라이브러리 프레임워크 모듈 컴포넌트 인터페이스 클래스 함수 변수 상수 배열 객체 포인터 예외 오류 에러 장애 테스트
    단위 통합 커버리지 목업 프론트엔드 백엔드 풀스택 개발자 엔지니어 디자이너 기획자 팀장 동료 회의 미팅 일정 마감 출근 퇴근 재택근무 휴가 연차 예산 계약 고객 사용자 관리자 운영 문서 설명서
    위키 노션 슬랙 깃허브 깃랩 지라 파이썬 자바 자바스크립트 타입스크립트 러스트 고랭 코틀린 스위프트 리액트 뷰 앵귤러 노드 스프링 장고 레디스 카프카 우분투 리눅스 맥북 윈도우 노트북
    모니터 키보드 편집기 에디터 테마 다크모드 글꼴 들여쓰기 포맷 린트 주석 변수명 설정 환경변수 배치 스케줄러 웹훅 대시보드 차트 지표 알레르기 땅콩 반려동물 고양이 강아지 지하철 버스
    아파트 커피 점심 저녁 아침 선호한다 선호하는 좋아한다 싫어한다 사용한다 담당자 담당 책임자 검토 승인 만료 삭제 보관 저장 변경 교체 이사""",
    "ja": """サーバー クライアント データベース インフラ プロダクション ステージング デプロイ リリース ブランチ コミット マージ リベース プッシュ プルリクエスト レビュー リファクタリング デバッグ バグ
    イシュー チケット ログ モニタリング アラート キャッシュ キュー メッセージ イベント トークン セッション クッキー 認証 認可 権限 ログイン ログアウト アカウント パスワード 暗号化 セキュリティ
    ファイアウォール ドメイン 証明書 ネットワーク プロキシ エンドポイント リクエスト レスポンス タイムアウト リトライ 同期 非同期 スレッド プロセス メモリ メモリリーク 性能 パフォーマンス 最適化
    ボトルネック クエリ インデックス スキーマ マイグレーション バックアップ 復旧 ロールバック トランザクション テーブル カラム コネクション コンテナ ドッカー クラスタ ノード クラウド ストレージ バケット
    パイプライン ビルド コンパイル コンパイラ パッケージ 依存関係 ライブラリ フレームワーク モジュール コンポーネント インターフェース クラス 関数 変数 定数 配列 オブジェクト ポインタ 例外 エラー 障害
    テスト 単体 結合 カバレッジ フロントエンド バックエンド 開発者 エンジニア デザイナー リーダー 同僚 会議 打ち合わせ 予定 締め切り 出社 退社 在宅勤務 休暇 有給 予算 契約 顧客 お客様 ユーザー
    管理者 運用 ドキュメント 説明書 仕様書 ウィキ スラック パイソン ジャバ ジャバスクリプト タイプスクリプト ラスト リアクト ウブントゥ リナックス ノートパソコン モニター キーボード エディタ テーマ
    ダークモード フォント インデント フォーマット コメント 設定 環境変数 バッチ スケジューラ ダッシュボード グラフ 指標 アレルギー ピーナッツ ペット 地下鉄 電車 マンション コーヒー 昼食 夕食 朝食
    好き 好む 嫌い 使う 担当者 担当 責任者 承認 期限切れ 削除 保管 保存 変更 置き換え 引っ越し 住んでいる""",
    "zh": """服务器 伺服器 客户端 数据库 資料庫 基础设施 生产环境 測試環境 测试环境 预发布 部署 发布 上线 分支 提交 合并 推送 拉取请求 合并请求 代码审查 重构 调试 缺陷 漏洞 工单 日志 监控 告警 缓存 快取
    队列 佇列 消息 事件 令牌 会话 认证 授权 权限 登录 登入 注销 账号 帳號 密码 密碼 加密 安全 防火墙 域名 证书 憑證 网络 网路 代理 接口 端点 请求 响应 超时 重试 同步 异步 线程 进程 内存 記憶體 内存泄漏 性能
    优化 瓶颈 查询 索引 模式 迁移 备份 恢复 回滚 事务 表 字段 连接池 容器 集群 节点 云 存储 流水线 构建 编译 编译器 依赖 库 框架 模块 组件 类 函数 变量 常量 数组 对象 指针 空指针 异常 错误 故障 单元测试
    集成测试 覆盖率 前端 后端 全栈 开发者 工程师 程序员 设计师 产品经理 组长 同事 会议 开会 日程 截止日期 上班 下班 远程办公 休假 年假 预算 合同 客户 用户 管理员 运维 文档 手册 维基 配置 环境变量 定时任务
    仪表盘 图表 指标 过敏 花生 宠物 地铁 公寓 咖啡 午饭 晚饭 早饭 喜欢 偏好 讨厌 使用 负责人 负责 批准 过期 删除 保留 保存 更改 替换 搬家 深色 浅色 主题 编辑器 编程语言 操作系统 笔记本电脑 缩进 空格 制表符
    格式化 注释 职业 优先级 源代码 程序 软件 硬件 算法 数据 文件 目录 版本 框架 微服务 限流 开源 许可证""",
    "th": """เซิร์ฟเวอร์ ไคลเอนต์ ฐานข้อมูล โครงสร้างพื้นฐาน โปรดักชัน สเตจจิ้ง ดีพลอย ปล่อยเวอร์ชัน สาขา คอมมิต เมิร์จ พุช พูลรีเควสต์ รีวิว รีแฟกเตอร์ ดีบัก บั๊ก ปัญหา ตั๋ว ล็อก ตรวจสอบ แจ้งเตือน แคช คิว
    ข้อความ เหตุการณ์ โทเคน เซสชัน คุกกี้ ยืนยันตัวตน สิทธิ์ ล็อกอิน ล็อกเอาต์ เข้าสู่ระบบ บัญชี รหัสผ่าน พาสเวิร์ด เข้ารหัส ความปลอดภัย ไฟร์วอลล์ โดเมน ใบรับรอง เครือข่าย พร็อกซี เอนด์พอยต์ คำขอ
    การตอบกลับ หมดเวลา ลองใหม่ เธรด โปรเซส หน่วยความจำ ประสิทธิภาพ ปรับแต่ง คอขวด คิวรี ดัชนี สคีมา ไมเกรชัน สำรองข้อมูล กู้คืน ย้อนกลับ ทรานแซกชัน ตาราง คอลัมน์ การเชื่อมต่อ คอนเทนเนอร์ คลัสเตอร์
    โหนด คลาวด์ ที่เก็บข้อมูล ไปป์ไลน์ บิลด์ คอมไพล์ แพ็กเกจ ไลบรารี เฟรมเวิร์ก โมดูล คอมโพเนนต์ อินเทอร์เฟซ คลาส ฟังก์ชัน ตัวแปร ค่าคงที่ อาร์เรย์ วัตถุ พอยน์เตอร์ ข้อยกเว้น ข้อผิดพลาด ทดสอบ ฟรอนต์เอนด์
    แบ็กเอนด์ นักพัฒนา วิศวกร โปรแกรมเมอร์ นักออกแบบ หัวหน้าทีม เพื่อนร่วมงาน ประชุม นัดหมาย กำหนดการ กำหนดส่ง เริ่มงาน เลิกงาน ทำงานที่บ้าน ลาพักร้อน งบประมาณ สัญญา ลูกค้า ผู้ใช้ ผู้ดูแล เอกสาร คู่มือ
    วิกิ ไพทอน จาวา รัสต์ ลินุกซ์ โน้ตบุ๊ก คอมพิวเตอร์ คีย์บอร์ด โปรแกรมแก้ไข ธีม โหมดมืด แบบอักษร ย่อหน้า ตั้งค่า แดชบอร์ด กราฟ ตัวชี้วัด แพ้ ถั่วลิสง สัตว์เลี้ยง แมว สุนัข รถไฟฟ้า รถไฟใต้ดิน คอนโด
    อพาร์ตเมนต์ กาแฟ อาหารเช้า อาหารกลางวัน อาหารเย็น ชอบ ไม่ชอบ รับผิดชอบ ผู้รับผิดชอบ อนุมัติ หมดอายุ ลบ เก็บ บันทึก เปลี่ยน แทนที่ ย้ายบ้าน ภาษาโปรแกรม ระบบปฏิบัติการ ซอฟต์แวร์ ฮาร์ดแวร์ ลำดับความสำคัญ""",
    "ru": """сервер клиент база инфраструктура продакшен стейджинг развертывание деплой релиз ветка коммит слияние ревью рефакторинг отладка баг тикет лог логирование мониторинг оповещение кэш кеш очередь
    сообщение событие токен сессия аутентификация авторизация доступ логин вход аккаунт пароль шифрование безопасность брандмауэр домен сертификат сеть прокси эндпоинт запрос ответ таймаут поток процесс память
    утечка производительность оптимизация индекс схема миграция бэкап резервный восстановление откат транзакция таблица столбец соединение контейнер докер кубернетес кластер узел облако хранилище конвейер сборка
    компиляция компилятор пакет зависимость библиотека фреймворк модуль компонент интерфейс класс функция переменная константа массив объект указатель исключение ошибка сбой тест покрытие фронтенд бэкенд разработчик
    инженер программист дизайнер руководитель коллега встреча совещание расписание дедлайн отпуск бюджет договор заказчик пользователь администратор документация руководство ноутбук монитор клавиатура редактор тема
    шрифт отступ настройка аллергия арахис питомец кошка собака метро квартира кофе завтрак обед ужин любит предпочитает ненавидит отвечает проверяет одобряет удаляет хранит сохраняет переехал медленный быстрый""",
    "de": """datenbank server benutzer nutzer kennwort passwort anmeldung berechtigung zugriff verschlüsselung sicherheit zertifikat netzwerk anfrage antwort zeitüberschreitung warteschlange nachricht ereignis zwischenspeicher
    speicher speicherleck leistung engpass abfrage schema migration sicherung sicherungskopie wiederherstellung tabelle spalte verbindung rechenzentrum wolke auslieferung veröffentlichung bereitstellung zweig fehler absturz
    ausfall störung ursache prüfung test abdeckung entwickler entwicklerin ingenieur programmierer kollege kollegin teamleiter besprechung sitzung termin frist urlaub budget vertrag kunde auftraggeber verwalter dokumentation
    handbuch anleitung betriebssystem rechner bildschirm tastatur oberfläche schriftart einrückung leerzeichen einstellung umgebungsvariable bibliothek abhängigkeit schnittstelle klasse funktion variable konstante zeiger
    ausnahme allergie erdnüsse haustier katze hund wohnung frühstück mittagessen abendessen kaffee bevorzugt verwendet zuständig verantwortlich genehmigt abgelaufen gelöscht gespeichert geändert ersetzt umgezogen langsam schnell
    programmiersprache quelltext quellcode rechnung zahlung protokoll aufzeichnung überwachung benachrichtigung""",
}

# Words of everyday life, of people and of plans, that memories are full of.
DAILY = {
    "ko": """취미 여행 여행지 운동 수영 등산 자전거 요가 헬스장 달리기 조깅 축구 야구 농구 요리 레시피 식당 맛집 채식 채식주의자 고기 생선 해산물 우유 설탕 매운 음식 음료 맥주 와인 녹차 홍차
    물 과일 사과 병원 의사 치과 두통 감기 수술 약 건강 다이어트 체중 수면 불면증 스트레스 가족 부모님 아버지 어머니 남편 아내 아들 딸 아기 아이 형제 자매 누나 동생 할머니 할아버지 친구
    여자친구 남자친구 결혼 결혼기념일 생일 선물 파티 기념일 학교 대학교 대학원 전공 졸업 시험 공부 영어 한국어 일본어 중국어 외국어 자격증 회사 이직 면접 연봉 월급 승진 부서 상사 신입 인턴
    프리랜서 창업 투자 주식 대출 저축 은행 카드 집 월세 전세 이웃 방 거실 주방 가구 자동차 운전 주차 운전면허 비행기 공항 호텔 예약 여권 기차 택시 도서관 책 소설 영화 드라마 음악 노래 피아노
    기타 게임 사진 카메라 그림 전시회 콘서트 공연 휴대폰 스마트폰 태블릿 컴퓨터 이메일 전화 전화번호 주소 시간대 오전 오후 저녁형 아침형 월요일 화요일 수요일 목요일 금요일 토요일 일요일 주말
    매일 매주 매월 다음주 지난주 어제 오늘 내일 봄 여름 가을 겨울 날씨 비 눈 더위 추위 색상 파란색 빨간색 검은색 어두운 밝은 느린 빠른 비싼 저렴한 중요한 급한 먼저 나중에 자주 가끔 항상 절대""",
    "ja": """趣味 旅行 旅行先 運動 水泳 登山 自転車 ヨガ ジム ランニング ジョギング サッカー 野球 バスケットボール 料理 レシピ レストラン ベジタリアン 菜食主義 肉 魚 海鮮 牛乳 砂糖 辛い 食べ物 飲み物
    ビール ワイン 緑茶 紅茶 果物 病院 医者 歯医者 頭痛 風邪 手術 薬 健康 ダイエット 体重 睡眠 不眠症 ストレス 家族 両親 父親 母親 夫 妻 息子 娘 赤ちゃん 子供 兄弟 姉妹 祖母 祖父 友達 彼女 彼氏 結婚
    結婚記念日 誕生日 プレゼント パーティー 学校 大学 大学院 専攻 卒業 試験 勉強 英語 日本語 韓国語 中国語 外国語 資格 会社 転職 面接 年収 給料 昇進 部署 上司 新人 インターン フリーランス 起業 投資
    株 貯金 銀行 家賃 隣人 部屋 台所 家具 自動車 運転 駐車場 免許 飛行機 空港 ホテル 予約 パスポート タクシー 図書館 小説 映画 ドラマ 音楽 ピアノ ギター ゲーム 写真 カメラ 展覧会 コンサート 携帯電話
    スマートフォン タブレット パソコン メール 電話番号 住所 タイムゾーン 午前 午後 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 週末 毎日 毎週 毎月 来週 先週 昨日 今日 明日 天気 暗い 明るい 遅い 速い
    高い 安い 重要 緊急 最優先 プログラミング プログラミング言語 オペレーティングシステム ソフトウェア ハードウェア アプリケーション 仕事 職業 買い物 引っ越す 働く 働いている 住む 飼う 飼っている 書く 読む 聴く
    走る 泳ぐ 食べる 飲む 寝る 起きる 壊れる 直す 修正する 動かす 止まる 落ちる 送る 受け取る""",
    "zh": """爱好 旅行 旅游 运动 游泳 爬山 登山 自行车 瑜伽 健身房 跑步 足球 篮球 羽毛球 做饭 菜谱 餐厅 素食 素食主义者 牛肉 海鲜 牛奶 辣 饮料 啤酒 红酒 绿茶 红茶 水果 医院 医生 牙医 头痛 感冒 手术 吃药
    健康 减肥 体重 睡眠 失眠 压力 家人 父母 爸爸 妈妈 丈夫 妻子 儿子 女儿 宝宝 孩子 哥哥 姐姐 弟弟 妹妹 奶奶 爷爷 朋友 女朋友 男朋友 结婚纪念日 生日 礼物 聚会 学校 大学 研究生 专业 毕业 考试 学习 英语
    中文 日语 韩语 外语 证书 公司 跳槽 面试 年薪 工资 升职 部门 上司 老板 新人 实习生 自由职业 创业 投资 股票 贷款 存款 银行 房租 邻居 房间 厨房 家具 汽车 开车 停车 驾照 飞机 机场 酒店 预订 护照 火车 出租车
    图书馆 小说 电影 电视剧 音乐 钢琴 吉他 游戏 照片 相机 展览 音乐会 手机 平板 电脑 邮件 电话号码 地址 时区 上午 下午 星期一 星期二 星期三 星期四 星期五 周一 周二 周三 周四 周五 周末 每天 每周 每月 下周
    上周 昨天 今天 明天 天气 颜色 蓝色 红色 黑色 明亮 缓慢 快速 昂贵 便宜 重要 紧急 最先 修复 出错 崩溃 宕机 打不开 卡住 发送 接收 养猫 养狗 住在 搬到""",
    "th": """งานอดิเรก ท่องเที่ยว เที่ยว ออกกำลังกาย ว่ายน้ำ ปีนเขา จักรยาน โยคะ ยิม วิ่ง ฟุตบอล บาสเกตบอล ทำอาหาร สูตรอาหาร ร้านอาหาร มังสวิรัติ เนื้อ ปลา อาหารทะเล นม น้ำตาล เผ็ด อาหาร เครื่องดื่ม เบียร์
    ไวน์ ชาเขียว ชา ผลไม้ โรงพยาบาล หมอ แพทย์ หมอฟัน ปวดหัว ปวดหลัง ไข้หวัด ผ่าตัด ยา สุขภาพ ลดน้ำหนัก น้ำหนัก นอนหลับ นอนไม่หลับ ความเครียด ครอบครัว พ่อแม่ พ่อ แม่ สามี ภรรยา ลูกชาย ลูกสาว ลูก พี่ชาย พี่สาว
    น้องชาย น้องสาว ยาย ปู่ เพื่อน แฟน แต่งงาน วันเกิด ของขวัญ งานเลี้ยง โรงเรียน มหาวิทยาลัย เรียนจบ สอบ เรียน ภาษาอังกฤษ ภาษาไทย ภาษาญี่ปุ่น ภาษาจีน บริษัท เปลี่ยนงาน สัมภาษณ์ เงินเดือน เลื่อนตำแหน่ง แผนก
    หัวหน้า เจ้านาย พนักงานใหม่ ฝึกงาน ฟรีแลนซ์ ลงทุน หุ้น เงินกู้ ออมเงิน ธนาคาร ค่าเช่า เพื่อนบ้าน ห้อง ครัว เฟอร์นิเจอร์ รถยนต์ ขับรถ ที่จอดรถ ใบขับขี่ เครื่องบิน สนามบิน โรงแรม จอง พาสปอร์ต รถไฟ แท็กซี่
    ห้องสมุด หนังสือ นิยาย ภาพยนตร์ หนัง ละคร ดนตรี เพลง เปียโน กีตาร์ เกม รูปภาพ กล้อง คอนเสิร์ต มือถือ แท็บเล็ต อีเมล เบอร์โทร ที่อยู่ เขตเวลา ตอนเช้า ตอนบ่าย ตอนเย็น วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี
    วันศุกร์ วันเสาร์ วันอาทิตย์ สุดสัปดาห์ ทุกวัน ทุกสัปดาห์ ทุกเดือน สัปดาห์หน้า สัปดาห์ที่แล้ว เมื่อวาน วันนี้ พรุ่งนี้ อากาศ สี สีเข้ม สีฟ้า สีแดง สีดำ มืด สว่าง ช้า เร็ว แพง ถูก สำคัญ เร่งด่วน แก้ไข พัง ล่ม
    ส่ง รับ เขียน อ่าน ฟัง ดื่ม กิน อาศัยอยู่ เลี้ยงแมว เลี้ยงสุนัข อาชีพ ทำงาน""",
    "ru": """хобби путешествие спорт плавание бег бегать велосипед йога спортзал футбол баскетбол готовить рецепт ресторан вегетарианец мясо рыба молоко сахар острый еда напиток пиво вино чай фрукты больница врач
    стоматолог болеть простуда операция лекарство здоровье диета вес сон бессонница стресс семья родители отец мать муж жена сын дочь ребенок дети брат сестра бабушка дедушка друг подруга свадьба годовщина рождения
    подарок вечеринка школа университет экзамен учиться английский русский иностранный компания собеседование зарплата повышение отдел начальник стажер фрилансер инвестиции акции кредит банк аренда сосед комната кухня
    мебель автомобиль водить парковка права самолет аэропорт гостиница бронирование паспорт поезд такси библиотека книга роман фильм сериал музыка песня пианино гитара игра фотография концерт телефон планшет компьютер
    почта адрес понедельник вторник среда четверг пятница суббота воскресенье выходные каждый еженедельно вчера сегодня завтра погода цвет синий красный черный темный светлый дорогой дешевый важный срочный сначала
    программирование программа язык операционный работать запускать выпускать исправить сломаться упасть отправлять получать писать читать слушать пить жить хранение количество ограничение правило причина профессия""",
    "de": """hobby reise reisen sport schwimmen wandern fahrrad yoga fitnessstudio laufen fußball kochen rezept restaurant vegetarier vegetarisch fleisch fisch meeresfrüchte milch zucker scharf essen getränk bier wein
    tee obst krankenhaus arzt ärztin zahnarzt kopfschmerzen rückenschmerzen erkältung operation medikament gesundheit abnehmen gewicht schlaf schlaflosigkeit familie eltern vater mutter ehemann ehefrau sohn tochter kind
    kinder bruder schwester großmutter großvater freund freundin hochzeit hochzeitstag geburtstag geschenk feier schule universität studium abschluss prüfung lernen englisch deutsch fremdsprache firma unternehmen
    bewerbungsgespräch gehalt beförderung abteilung chef chefin vorgesetzter praktikant freiberufler aktien kredit miete nachbar zimmer küche möbel auto fahren parkplatz führerschein flugzeug flughafen hotel buchung
    reisepass zug bahn u-bahn taxi bücherei buch bücher roman musik lied klavier gitarre spiel foto kamera ausstellung konzert handy tablet rechnung adresse zeitzone vormittag nachmittag abend morgens abends montag
    dienstag mittwoch donnerstag freitag samstag sonntag wochenende täglich wöchentlich monatlich gestern heute morgen nächste letzte woche monat jahr wetter farbe blau rot schwarz dunkel hell teuer billig wichtig dringend
    zuerst später häufig immer niemals benutzen verwenden nutzen speichern löschen ändern ersetzen prüfen testen starten stoppen beheben reparieren schreiben lesen hören trinken wohnen leben arbeiten bevorzugen mögen hassen
    lieben schicken senden empfangen melden anmelden abmelden veröffentlichen ausliefern entwickeln programmieren übersetzung übersetzen zustimmen genehmigen zustimmung genehmigung verantwortung regel grenze höchstens
    mindestens anzahl größe dauer geschwindigkeit vorrang priorität name nummer zeichen buchstabe datei ordner verzeichnis arbeitsspeicher festplatte browser webseite internetseite hintergrund lieblings beruf arbeitgeber
    arbeitsplatz heimarbeit feierabend pause mittagspause""",
}
